/** Talking to the server over HTTP. */

/** What the server refused, in its own words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly detail: unknown = null,
  ) {
    super(message);
  }
}

async function send(method: string, path: string, body?: unknown): Promise<unknown> {
  const request: RequestInit = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    request.headers = { ...request.headers, "content-type": "application/json" };
    request.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(`/api${path}`, request);
  } catch {
    throw new Refusal(0, "The server does not answer.");
  }
  const text = await response.text();
  let data: unknown = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    data = null;
  }
  if (!response.ok) throw new Refusal(response.status, told(data) ?? `The server answered ${response.status}.`, data);
  return data;
}

function told(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return null;
  for (const key of ["error", "text", "message", "detail"]) {
    const value = (data as Record<string, unknown>)[key];
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null) return told(value);
  }
  return null;
}

/** `GET /api{path}`. */
export async function get<T>(path: string): Promise<T> {
  return (await send("GET", path)) as T;
}

/** `POST /api{path}` with a JSON body. */
export async function post<T>(path: string, body: unknown): Promise<T> {
  return (await send("POST", path, body)) as T;
}
