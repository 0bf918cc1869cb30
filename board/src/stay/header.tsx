import { useState } from 'preact/hooks';
import { Choice } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { theme, themes } from '../parts/theme.ts';
import { canSignIn, guest, signIn, signOut } from './guest.ts';
import { Link, place } from './place.tsx';
import { chooseLanguage, language, say } from './words/index.ts';

const themeNames = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;

export const Header = ({ name }: { name: string }) => {
  const [isOpen, open] = useState(false);
  const { view } = place.value;
  const isMine = view === 'bookings' || view === 'booking';
  return (
    <header class="top">
      <span class="brand">{name}</span>
      <nav>
        <Link to={{ view: 'search' }} aria-current={isMine ? undefined : 'page'}>
          {say('homes')}
        </Link>
        <Link to={{ view: 'bookings' }} aria-current={isMine ? 'page' : undefined}>
          {say('myBookings')}
        </Link>
      </nav>
      <button type="button" class="menu" aria-haspopup="dialog" onClick={() => open(true)}>
        {say('menu')}
      </button>
      {isOpen && <Menu onClose={() => open(false)} />}
    </header>
  );
};

const Menu = ({ onClose }: { onClose: () => void }) => {
  const now = guest.value;
  return (
    <Dialog
      title={'person' in now ? now.person.full_name || now.person.email : say('menu')}
      onClose={onClose}
    >
      <Choice
        label={say('language')}
        value={language.value}
        options={[
          ['vi', 'Tiếng Việt'],
          ['en', 'English'],
        ]}
        onChoose={(value) => chooseLanguage(value === 'vi' ? 'vi' : 'en')}
      />
      <Choice
        label={say('theme')}
        value={theme.value}
        options={themes.map((one) => [one, say(themeNames[one])])}
        onChoose={(value) => (theme.value = themes.find((one) => one === value) ?? 'auto')}
      />
      <div class="answers">
        <button type="button" onClick={onClose}>
          {say('close')}
        </button>
        {'person' in now && (
          <button type="button" onClick={() => void signOut()}>
            {say('signOut')}
          </button>
        )}
        {now.state === 'OUT' && canSignIn() && (
          <button type="button" onClick={() => void signIn()}>
            {say('signIn')}
          </button>
        )}
      </div>
    </Dialog>
  );
};
