/** What the fields of a form say, by their names. */
export type Fields = Readonly<Record<string, string>>;
