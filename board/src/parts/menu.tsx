import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../words/common/index.ts';
import { chooseLanguage, language } from '../words/language.ts';
import { Choice } from './choice.tsx';
import { Dialog } from './dialog.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { theme, themes } from './theme.ts';

interface MenuProps {
  /** The person who is signed in. */
  name: string | undefined;
  signIn?: (() => void) | undefined;
  signOut?: (() => void) | undefined;
  /** What a page has in its menu alone. */
  children?: (close: () => void) => ComponentChildren;
}

/** The menu of a page, and the button that opens it. */
export const Menu = (props: MenuProps) => {
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" class="menu" aria-haspopup="dialog" onClick={() => open(true)}>
        {say('menu')}
      </button>
      {isOpen && <Opened {...props} close={() => open(false)} />}
    </>
  );
};

const themeNames = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;

const Opened = ({ name, signIn, signOut, children, close }: MenuProps & { close: () => void }) => (
  <Dialog title={name ?? say('menu')} onClose={close}>
    {children?.(close)}
    <LanguageChoice label={say('language')} value={language.value} onChoose={chooseLanguage} />
    <Choice
      label={say('theme')}
      value={theme.value}
      options={themes.map((one) => [one, say(themeNames[one])])}
      onChoose={(value) => (theme.value = themes.find((one) => one === value) ?? 'auto')}
    />
    <div class="answers">
      <button type="button" onClick={close}>
        {say('close')}
      </button>
      {signOut && (
        <button type="button" onClick={signOut}>
          {say('signOut')}
        </button>
      )}
      {signIn && (
        <button type="button" onClick={signIn}>
          {say('signIn')}
        </button>
      )}
    </div>
  </Dialog>
);
