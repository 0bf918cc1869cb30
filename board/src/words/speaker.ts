import { language } from './language.ts';

type Words<Name extends string> = Readonly<Record<Name, string>>;
type Values = Readonly<Record<string, string | number>>;

/** Returns what says the sentences of one page in the language that is shown. */
export const speaker = <Name extends string>(languages: Readonly<Record<'vi' | 'en', Words<Name>>>) => {
  const say = (name: Name, values: Values = {}): string =>
    languages[language.value][name].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
  /** Returns the word of a name that the API has given, such as a state; a name that is new is shown as it is. */
  const sayName = (name: string, family = ''): string =>
    family + name in languages.en ? say((family + name) as Name) : name;
  return { say, sayName };
};
