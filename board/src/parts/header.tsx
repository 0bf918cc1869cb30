import { useState } from 'preact/hooks';
import { useReading } from '../data/reading.ts';
import { api, changeTeam, session, signOut, type Team } from '../session/session.ts';
import { chooseLanguage, language, say } from '../words/index.ts';
import { Dialog } from './dialog.tsx';
import { todayLink } from './route.ts';
import { theme, themes } from './theme.ts';

const themeNames = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;

/** The name of a team, for those who may read it; else its number. */
const TeamName = ({ team }: { team: Team }) => {
  const { data } = useReading('team', () => api().getTeam());
  return <>{data?.name ?? `${say('team')} ${team.team_id}`}</>;
};

export const Header = () => {
  const [isOpen, open] = useState(false);
  const now = session.value;
  const team = 'team' in now ? now.team : undefined;
  return (
    <header class="top">
      <a href={todayLink} class="brand">
        {team ? <TeamName key={team.team_id} team={team} /> : 'Nightlatch'}
      </a>
      <button type="button" class="menu" aria-haspopup="dialog" onClick={() => open(true)}>
        {say('menu')}
      </button>
      {isOpen && <Menu onClose={() => open(false)} />}
    </header>
  );
};

const Menu = ({ onClose }: { onClose: () => void }) => {
  const now = session.value;
  const person = 'person' in now ? now.person : undefined;
  const team = 'team' in now ? now.team : undefined;
  return (
    <Dialog title={person?.name ?? say('menu')} onClose={onClose}>
      {person && person.teams.length > 1 && (
        <label>
          {say('team')}
          <select
            value={team?.team_id}
            onChange={({ currentTarget: { value } }) => {
              const chosen = person.teams.find(({ team_id }) => String(team_id) === value);
              if (chosen) changeTeam(chosen);
            }}
          >
            {person.teams.map(({ team_id, role }) => (
              <option key={team_id} value={team_id}>
                {team_id} ({role})
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        {say('language')}
        <select
          value={language.value}
          onChange={({ currentTarget: { value } }) => chooseLanguage(value === 'vi' ? 'vi' : 'en')}
        >
          <option value="vi">Tiếng Việt</option>
          <option value="en">English</option>
        </select>
      </label>
      <label>
        {say('theme')}
        <select
          value={theme.value}
          onChange={({ currentTarget: { value } }) =>
            (theme.value = themes.find((one) => one === value) ?? 'auto')
          }
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {say(themeNames[one])}
            </option>
          ))}
        </select>
      </label>
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
