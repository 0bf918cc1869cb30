import { useState } from 'preact/hooks';
import { say } from '../words/common/index.ts';

interface MoreProps {
  label: string;
  /** Undefined: there is no more. */
  more: (() => Promise<void>) | undefined;
}

/** Reads the next page of a list. */
export const More = ({ label, more }: MoreProps) => {
  const [isLoading, setLoading] = useState(false);
  if (!more) return null;
  const read = async (): Promise<void> => {
    setLoading(true);
    await more();
    setLoading(false);
  };
  return (
    <button type="button" class="more" disabled={isLoading} onClick={() => void read()}>
      {isLoading ? say('loading') : label}
    </button>
  );
};
