import type { InputHTMLAttributes } from 'preact';
import type { Draft, Fields } from '../data/drafts.ts';
import { say } from '../words/index.ts';

interface InputProps {
  name: 'from' | 'to' | 'price' | 'full_name' | 'phone' | 'email' | 'guests' | 'min_nights';
  fields: Fields;
  draft: Draft;
  type?: 'text' | 'date' | 'tel' | 'email' | 'number';
  min?: string | number | undefined;
  isOptional?: boolean;
}

/** A field of the form about nights. */
export const Input = ({ name, fields, draft, type = 'text', min, isOptional = false }: InputProps) => {
  const inputMode = name === 'price' ? 'decimal' : undefined;
  const look = { type, min, inputMode, required: !isOptional, autocomplete: 'off' } as InputHTMLAttributes;
  return (
    <label>
      {say(`nights_${name}`)}
      <input
        {...look}
        name={name}
        value={fields[name] ?? ''}
        onInput={({ currentTarget: { value } }) => draft.change(name, value)}
      />
    </label>
  );
};
