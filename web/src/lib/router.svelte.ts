/** The address as state: paths and queries without a library. Links inside the page are caught in `App.svelte`. */

export interface Place {
  path: string;
  query: URLSearchParams;
  hash: string;
}

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash.slice(1) };
}

let present = $state.raw<Place>(read());

export const place = {
  get path(): string {
    return present.path;
  },
  get query(): URLSearchParams {
    return present.query;
  },
  get hash(): string {
    return present.hash;
  },
};

/** Go to another page of the table; `replace` leaves no entry to come back to. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  present = read();
  if (!replace) window.scrollTo(0, 0);
}

/** Write a query into the address without leaving the page: a question that can be shared. */
export function setQuery(query: URLSearchParams): void {
  const text = query.toString();
  go(present.path + (text ? `?${text}` : ""), true);
}

window.addEventListener("popstate", () => (present = read()));

/** A click on a link within the page, to be handled here instead of loading anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.getAttribute("href")?.startsWith("#") || link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
