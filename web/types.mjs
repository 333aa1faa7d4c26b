// Write src/lib/messages.ts from the published schema of the protocol: `npm run types`, or with --check compare.
import { readFile, writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";

const SCHEMA = new URL(process.env.PROTOCOL_SCHEMA ?? "../docs/protocol.schema.json", import.meta.url);
const TYPES = new URL("src/lib/messages.ts", import.meta.url);

/** The names of the definitions that a value refers to. */
function* references(value) {
  if (value === null || typeof value !== "object") return;
  for (const [key, item] of Object.entries(value)) {
    if (key === "$ref") yield item.split("/").at(-1);
    else yield* references(item);
  }
}

/** What a client writes, where fields with a default may be left out; the server writes every field. */
function written(definitions) {
  const waiting = Object.keys(definitions).filter((name) => name === "ClientMessage" || name.endsWith("Form"));
  const found = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (!found.has(name)) waiting.push(...references(definitions[name]));
    found.add(name);
  }
  return found;
}

/** Titles of single fields would become types of their own; tuples are written as the compiler knows them. */
function untitled(value) {
  if (Array.isArray(value)) return value.map(untitled);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key, item]) => key !== "title" || typeof item !== "string");
  return Object.fromEntries(kept.map(([key, item]) => [key === "prefixItems" ? "items" : key, untitled(item)]));
}

function defined(name, schema, byClient) {
  const made = { ...untitled(schema), title: name };
  if (made.type !== "object" || !made.properties) return made;
  const always = Object.entries(made.properties).filter(([, field]) => !byClient || "const" in field);
  made.required = [...new Set([...(made.required ?? []), ...always.map(([field]) => field)])];
  made.additionalProperties ??= false;
  return made;
}

const schema = JSON.parse(await readFile(SCHEMA, "utf8"));
const byClient = written(schema.$defs);
const definitions = Object.fromEntries(
  Object.entries(schema.$defs).map(([name, value]) => [name, defined(name, value, byClient.has(name))]),
);
const root = {
  title: "Protocol",
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(Object.keys(definitions).map((name) => [name, { $ref: `#/$defs/${name}` }])),
  $defs: definitions,
};
const text = await compile(root, "Protocol", {
  bannerComment: "/* Written from docs/protocol.schema.json by `npm run types`; not to be edited. */",
  maxItems: 8,
  style: { printWidth: 120 },
});
if (process.argv.includes("--check")) {
  if ((await readFile(TYPES, "utf8")) !== text) {
    console.error("src/lib/messages.ts is not what docs/protocol.schema.json says: run `npm run types`");
    process.exit(1);
  }
} else {
  await writeFile(TYPES, text);
}
