import { en } from './en.ts';
import type { Sentence } from './sentences.ts';

/** What an answer of the service says of a refusal. */
interface Problem {
  status: number;
  code: string;
  details: Readonly<Record<string, unknown>>;
}

/** An amount with its currency. */
interface Price {
  amount: number;
  currency: string;
}

/** A sentence with what its places are filled with. */
interface Explanation {
  name: Sentence;
  field?: Sentence;
  least?: Price;
  most?: Price;
}

/** Returns which sentence says to a person what an error means. */
export const explain = ({ status, code, details }: Problem): Explanation => {
  const [issue] = code === 'VALIDATION_ERROR' ? issuesOf(details['issues']) : [];
  if (issue) return explainField(issue);
  if (/^[A-Z][A-Z_]+$/.test(code) && code in en) return { name: code as Sentence };
  return { name: status < 500 ? 'refused' : 'failed' };
};

interface Issue {
  field: Sentence;
  message: string;
}

/** Returns the problems of fields that a form of the board has. */
const issuesOf = (issues: unknown): Issue[] =>
  (Array.isArray(issues) ? issues : []).flatMap((issue: unknown) => {
    const { path, message } = (issue ?? {}) as Readonly<Record<string, unknown>>;
    return typeof path === 'string' && typeof message === 'string' && `field_${path}` in en
      ? [{ field: `field_${path}` as Sentence, message }]
      : [];
  });

const amounts =
  /^must be (?:at most|from (?<least>\d+(?:\.\d+)?) to) (?<most>\d+(?:\.\d+)?) (?<currency>[A-Z]{3})\b/;

/** The bounds of an amount are in the sentence of the service alone; one that has another form is not read. */
const explainField = ({ field, message }: Issue): Explanation => {
  const { least, most, currency } = amounts.exec(message)?.groups ?? {};
  if (most === undefined || currency === undefined) return { name: 'badField', field };
  const highest = { amount: Number(most), currency };
  return least === undefined
    ? { name: 'tooMuch', field, most: highest }
    : { name: 'notBetween', field, least: { amount: Number(least), currency }, most: highest };
};
