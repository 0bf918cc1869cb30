import { useReading } from '../data/reading.ts';
import { api, changeTeam, session, signOut, type Team } from '../session/session.ts';
import { say } from '../words/index.ts';
import { Choice } from './choice.tsx';
import { type PageName, pagesOf } from './address.ts';
import { Menu } from './menu.tsx';
import { pageLink, route } from './route.ts';

/** The name of a team, for those who may read it; else its number. */
const TeamName = ({ team }: { team: Team }) => {
  const { data } = useReading(`team ${team.team_id}`, () => api().getTeam({}, { teamId: team.team_id }), {
    isLasting: true,
  });
  return <>{data?.name ?? `${say('team')} ${team.team_id}`}</>;
};

export const Header = () => {
  const now = session.value;
  const { person, team } = 'person' in now ? now : { person: undefined, team: undefined };
  return (
    <header class="top">
      <span class="brand">{team ? <TeamName key={team.team_id} team={team} /> : 'Nightlatch'}</span>
      {team && <Pages role={team.role} />}
      <Menu name={person?.name} signOut={person && (() => void signOut())}>
        {(close) => (
          <>
            <p class="rare-pages">
              {team &&
                pagesOf(team.role)
                  .filter((page) => rare.includes(page))
                  .map((page) => (
                    <a key={page} class="button" href={pageLink(page)} onClick={close}>
                      {say(page)}
                    </a>
                  ))}
            </p>
            {person && person.teams.length > 1 && <TeamChoice teams={person.teams} />}
          </>
        )}
      </Menu>
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
