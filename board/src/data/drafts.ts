import { useState } from 'preact/hooks';

/** What is typed stays in the tab until it is sent: over a sign-in, a reload, and a telephone that ends the tab. */
const prefix = 'draft:';
const keyPrefix = 'key:';

type Fields = Readonly<Record<string, string>>;

export interface Draft {
  fields: Fields;
  change: (name: string, value: string) => void;
  /** The Idempotency-Key of what the person intends: the same until an answer has come, or another thing is typed. */
  key: () => string;
  /** An answer has come: what is sent next is another thing. */
  answered: () => void;
  /** It was done. */
  done: () => void;
}

const read = (name: string, initial: Fields): Fields => {
  const text = sessionStorage.getItem(prefix + name);
  return text === null ? initial : { ...initial, ...(JSON.parse(text) as Fields) };
};

/** The draft of a form; `name` says of which booking and for what. */
export const useDraft = (name: string, initial: Fields = {}): Draft => {
  const [fields, setFields] = useState(() => read(name, initial));
  const answered = (): void => sessionStorage.removeItem(keyPrefix + name);
  return {
    fields,
    change: (field, value) => {
      const changed = { ...fields, [field]: value };
      sessionStorage.setItem(prefix + name, JSON.stringify(changed));
      answered();
      setFields(changed);
    },
    key: () => {
      const key = sessionStorage.getItem(keyPrefix + name) ?? newKey();
      sessionStorage.setItem(keyPrefix + name, key);
      return key;
    },
    answered,
    done: () => {
      sessionStorage.removeItem(prefix + name);
      answered();
      setFields(initial);
    },
  };
};

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Another person has signed in. */
export const forgetDrafts = (): void => {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix) || name.startsWith(keyPrefix)) sessionStorage.removeItem(name);
};
