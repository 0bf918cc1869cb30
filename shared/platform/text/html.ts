import { escapedHtml } from './escaped-html.ts';

/** Text that is already HTML: a constant, or made by {@link html}, which escapes everything else. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

const rendered = (value: Value): string => {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapedHtml(String(value));
};

/** A template tag that escapes its values unless they are HTML. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(parts.reduce((text, part, position) => text + rendered(values[position - 1] ?? '') + part));
