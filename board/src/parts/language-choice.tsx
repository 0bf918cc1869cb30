import { Choice } from './choice.tsx';

const names = [
  ['vi', 'Tiếng Việt'],
  ['en', 'English'],
] as const;

interface LanguageChoiceProps {
  label: string;
  value: string;
  onChoose: (language: 'vi' | 'en') => void;
}

export const LanguageChoice = ({ label, value, onChoose }: LanguageChoiceProps) => (
  <Choice
    {...{ label, value, options: names }}
    onChoose={(chosen) => onChoose(chosen === 'vi' ? 'vi' : 'en')}
  />
);
