/** Imports a name from a file of fauxqs 2.4.1 that its package does not export. */
export const importFromFauxqs = async <Value>(file: string, name: string): Promise<Value> => {
  const url = new URL(file, import.meta.resolve('fauxqs'));
  const found = ((await import(url.href)) as Record<string, Value>)[name];
  if (found === undefined) throw new Error(`fauxqs has no ${name} in ${file}: is it still version 2.4.1?`);
  return found;
};
