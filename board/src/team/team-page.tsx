import type { Team } from '@nightlatch/client';
import { useDraft } from '../data/drafts.ts';
import { reread, useReading } from '../data/reading.ts';
import { useSending } from '../data/sending.ts';
import { Choice } from '../parts/choice.tsx';
import { Facts } from '../parts/facts.tsx';
import { notify } from '../parts/notice.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { api, session } from '../session/session.ts';
import { say } from '../words/index.ts';
import { Problem } from './ask.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { changesOf, type SettingName, settingNames } from './settings.ts';

/** The settings of the team, its members and keys: all of it for its owners, who alone may change it. */
export const TeamPage = () => {
  const now = session.value;
  const { team_id = 0, role = 'STAFF' } = 'team' in now ? now.team : {};
  const team = useReading(`team ${team_id}`, () => api().getTeam({}, { teamId: team_id }), {
    isLasting: true,
  });
  const isOwner = role === 'OWNER';
  return (
    <section class="team" aria-labelledby="team">
      <h1 id="team">{say('team')}</h1>
      <ReadingState reading={team} />
      {team.data && (isOwner ? <Settings team={team.data} /> : <Shown team={team.data} />)}
      {isOwner && <Members />}
      {isOwner && <Keys />}
    </section>
  );
};

const languageNames: Readonly<Record<string, string>> = { vi: 'Tiếng Việt', en: 'English' };

const Shown = ({ team }: { team: Team }) => (
  <Facts
    rows={settingNames.map((name) => [
      say(`team_${name}`),
      name === 'language' ? languageNames[team.language ?? 'vi'] : team[name],
    ])}
  />
);

const inputs: Readonly<Record<Exclude<SettingName, 'language'>, object>> = {
  name: { required: true, maxLength: 255 },
  contact_name: { maxLength: 255 },
  contact_phone: { type: 'tel', maxLength: 32 },
  contact_email: { type: 'email', maxLength: 254 },
  logo_url: { type: 'url', maxLength: 2000, pattern: 'https://.*', placeholder: 'https://' },
};

const Settings = ({ team }: { team: Team }) => {
  const draft = useDraft('team settings');
  const { isSending, error, send } = useSending(draft);
  const changes = changesOf(team, draft.typed);
  const valueOf = (name: SettingName): string => draft.typed[name] ?? team[name] ?? '';
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isDone = await send(draft.typed, async () => {
      await api().updateTeam(changes);
      await reread(`team ${team.team_id}`);
    });
    if (isDone) notify({ text: say('done') });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      {settingNames.map((name) =>
        name === 'language' ? (
          <Choice
            key={name}
            label={say('team_language')}
            value={valueOf(name)}
            options={[['', say('languageByDefault')], ...Object.entries(languageNames)]}
            onChoose={(value) => draft.change(name, value)}
          />
        ) : (
          <label key={name}>
            {say(`team_${name}`)}
            <input
              {...{ name, ...inputs[name] }}
              value={valueOf(name)}
              onInput={({ currentTarget: { value } }) => draft.change(name, value)}
            />
          </label>
        ),
      )}
      <Problem error={error} />
      <button type="submit" class="primary" disabled={isSending || Object.keys(changes).length === 0}>
        {say('save')}
      </button>
    </form>
  );
};
