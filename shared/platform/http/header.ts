interface WithHeaders {
  headers: Readonly<Record<string, string | undefined>> | null;
}

/** Returns a header of a request, case-insensitively. */
export const headerOf = ({ headers }: WithHeaders, name: string): string | undefined => {
  const wanted = name.toLowerCase();
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === wanted)?.[1];
};
