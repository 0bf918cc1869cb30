export const differ = (what: string, has: unknown, wants: unknown): string[] =>
  JSON.stringify(has) === JSON.stringify(wants)
    ? []
    : [`${what} is ${JSON.stringify(has)}, not ${JSON.stringify(wants)}`];

export const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, one) => total + one, 0);
