import { useState } from 'preact/hooks';
import { useReading } from '../data/reading.ts';
import { api, changeTeam, session, signOut, type Team } from '../session/session.ts';
import { chooseLanguage, language, say } from '../words/index.ts';
import { Choice } from './choice.tsx';
import { Dialog } from './dialog.tsx';
import { type PageName, pagesOf } from './address.ts';
import { pageLink, route } from './route.ts';
import { theme, themes } from './theme.ts';

const themeNames = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;

/** The name of a team, for those who may read it; else its number. */
const TeamName = ({ team }: { team: Team }) => {
  const { data } = useReading(`team ${team.team_id}`, () => api().getTeam({}, { teamId: team.team_id }), {
    isLasting: true,
  });
  return <>{data?.name ?? `${say('team')} ${team.team_id}`}</>;
};

export const Header = () => {
  const [isOpen, open] = useState(false);
  const now = session.value;
  const team = 'team' in now ? now.team : undefined;
  return (
    <header class="top">
      <span class="brand">{team ? <TeamName key={team.team_id} team={team} /> : 'Nightlatch'}</span>
      {team && <Pages role={team.role} />}
      <button type="button" class="menu" aria-haspopup="dialog" onClick={() => open(true)}>
        {say('menu')}
      </button>
      {isOpen && <Menu onClose={() => open(false)} />}
    </header>
  );
};

/** On a telephone these pages are in the menu: the bar at the lower edge has room for four. */
const rare: readonly PageName[] = ['figures', 'team'];

const Pages = ({ role }: { role: string }) => (
  <nav aria-label={say('pages')}>
    {pagesOf(role).map((page) => (
      <a
        key={page}
        href={pageLink(page)}
        class={rare.includes(page) ? 'rare' : undefined}
        aria-current={route.value.page === page ? 'page' : undefined}
      >
        {say(page)}
      </a>
    ))}
  </nav>
);

const Menu = ({ onClose }: { onClose: () => void }) => {
  const now = session.value;
  const person = 'person' in now ? now.person : undefined;
  const pages = 'team' in now ? pagesOf(now.team.role).filter((page) => rare.includes(page)) : [];
  return (
    <Dialog title={person?.name ?? say('menu')} onClose={onClose}>
      <p class="rare-pages">
        {pages.map((page) => (
          <a key={page} class="button" href={pageLink(page)} onClick={onClose}>
            {say(page)}
          </a>
        ))}
      </p>
      {person && person.teams.length > 1 && <TeamChoice teams={person.teams} />}
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
        {person && (
          <button type="button" onClick={() => void signOut()}>
            {say('signOut')}
          </button>
        )}
      </div>
    </Dialog>
  );
};

const TeamChoice = ({ teams }: { teams: readonly Team[] }) => {
  const now = session.value;
  return (
    <Choice
      label={say('team')}
      value={'team' in now ? String(now.team.team_id) : ''}
      options={teams.map((team) => [String(team.team_id), <TeamName team={team} />])}
      onChoose={(value) => {
        const chosen = teams.find(({ team_id }) => String(team_id) === value);
        if (chosen) changeTeam(chosen);
      }}
    />
  );
};
