import type { IssuedTeamKey, RotatedTeamKey } from '@nightlatch/client';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { say, sayInstant } from '../words/index.ts';

interface IssuedKeyProps {
  of: IssuedTeamKey & Partial<Pick<RotatedTeamKey, 'old_expires_at'>>;
  onClose: () => void;
}

/** The text of a new key, which is shown this once and kept nowhere. */
export const IssuedKey = ({ of: { api_key, name, old_expires_at: until }, onClose }: IssuedKeyProps) => {
  const text = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    text.current?.select();
    // A page without a certificate has no clipboard: the text is selected, and copied by hand.
    const { clipboard } = navigator as { clipboard?: Clipboard };
    await clipboard?.writeText(api_key).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <Dialog title={say('newKey', { name: name ?? '' })} onClose={onClose}>
      <p>{say('shownOnce')}</p>
      {until && <p>{say('oldKeyUntil', { time: sayInstant(until) })}</p>}
      <label>
        {say('keyText')}
        <input ref={text} class="key-text" readOnly value={api_key} autocomplete="off" spellcheck={false} />
      </label>
      <div class="answers">
        <button type="button" onClick={onClose}>
          {say('close')}
        </button>
        <button type="button" class="primary" onClick={() => void copy()}>
          {say(isCopied ? 'copied' : 'copy')}
        </button>
      </div>
    </Dialog>
  );
};
