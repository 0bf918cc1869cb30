import type { ComponentChildren } from 'preact';

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [string, ComponentChildren])[];
  onChoose: (value: string) => void;
}

/** One of several, by its name. */
export const Choice = ({ label, value, options, onChoose }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
