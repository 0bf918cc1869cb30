import type { TeamMember } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import type { Draft, Fields } from '../data/drafts.ts';
import { useReading } from '../data/reading.ts';
import { Choice } from '../parts/choice.tsx';
import { notify } from '../parts/notice.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { api, session, signIn } from '../session/session.ts';
import { say, sayInstant, sayName } from '../words/index.ts';
import { Ask, type Refusals } from './ask.tsx';

const roles = ['OWNER', 'MANAGER', 'STAFF'] as const;
type Role = (typeof roles)[number];

const refusals: Refusals = {
  INVALID_STATE_TRANSITION: 'memberRefused',
  RATE_LIMIT_EXCEEDED: 'invitedOften',
};

type Asked = { what: 'INVITE' } | { what: 'ROLE' | 'REMOVE'; member: TeamMember };

/** Who belongs to the team, and who is invited. */
export const Members = () => {
  const members = useReading('members', () => api().listTeamMembers());
  const [asked, ask] = useState<Asked | undefined>(undefined);
  const now = session.value;
  const me = 'person' in now ? now.person.id : 0;
  const close = (isDone: boolean): void => {
    const isOfMe = asked && 'member' in asked && asked.member.user_id === me;
    ask(undefined);
    if (!isDone) return;
    notify({ text: say('done') });
    // Who has changed the own rights signs in again, and has the others from then on.
    if (isOfMe) void signIn();
  };
  return (
    <section aria-labelledby="members">
      <h2 id="members">{say('members')}</h2>
      <ReadingState reading={members} />
      <ul>
        {members.data?.items.map((member) => (
          <Member key={member.user_id} isMe={member.user_id === me} {...{ member, ask }} />
        ))}
      </ul>
      <button type="button" onClick={() => ask({ what: 'INVITE' })}>
        {say('invite')}
      </button>
      {asked && <Question key={JSON.stringify(asked)} {...{ asked, me }} onClose={close} />}
    </section>
  );
};

interface MemberProps {
  member: TeamMember;
  isMe: boolean;
  ask: (asked: Asked) => void;
}

const Member = ({ member, isMe, ask }: MemberProps) => {
  const { email, full_name, role, state, expires_at } = member;
  const name = full_name === '' ? email : full_name;
  return (
    <li class="card">
      <span class="line">
        <strong>{name}</strong>
        <span class="chips">
          <span class="chip">{sayName(role, 'role_')}</span>
          {state !== 'ACTIVE' && <span class="chip state-pending">{sayName(state, 'member_')}</span>}
        </span>
      </span>
      <p class="quiet">
        {[
          full_name === '' ? '' : email,
          isMe ? say('thatIsYou') : '',
          expires_at === null ? '' : say('until', { time: sayInstant(expires_at) }),
        ]
          .filter((text) => text !== '')
          .join(' · ')}
      </p>
      <p class="actions">
        {state !== 'INVITED' && (
          <button
            type="button"
            aria-label={say('of', { what: say('changeRole'), name })}
            onClick={() => ask({ what: 'ROLE', member })}
          >
            {say('changeRole')}
          </button>
        )}
        <button
          type="button"
          class="danger"
          aria-label={say('of', { what: say(removalOf(member, isMe)), name })}
          onClick={() => ask({ what: 'REMOVE', member })}
        >
          {say(removalOf(member, isMe))}
        </button>
      </p>
    </li>
  );
};

const removalOf = ({ state }: TeamMember, isMe: boolean) => {
  if (state === 'INVITED') return 'withdraw';
  return isMe ? 'leave' : 'takeOut';
};

interface QuestionProps {
  asked: Asked;
  me: number;
  onClose: (isDone: boolean) => void;
}

const Question = ({ asked, me, onClose }: QuestionProps) => {
  if (asked.what === 'INVITE')
    return (
      <Ask
        title={say('askInvite')}
        text={say('invitation')}
        yes="yesInvite"
        about="team invite"
        byDefault={{ role: 'STAFF' }}
        {...{ refusals, onClose }}
        fields={(fields, draft) => (
          <>
            <label>
              {say('emailOf')}
              <input
                {...{ name: 'email', type: 'email', required: true, maxLength: 254, autocomplete: 'off' }}
                value={fields['email'] ?? ''}
                onInput={({ currentTarget: { value } }) => draft.change('email', value)}
              />
            </label>
            <RoleChoice {...{ fields, draft }} />
          </>
        )}
        send={(fields, idempotencyKey) =>
          api().setTeamMember({ email: fields['email'] ?? '', role: roleIn(fields) }, { idempotencyKey })
        }
      />
    );
  const { member } = asked;
  const { user_id, email, full_name, role } = member;
  const isMe = user_id === me;
  const name = full_name === '' ? email : full_name;
  if (asked.what === 'ROLE')
    return (
      <Ask
        title={say('askRole', { name })}
        text={say(isMe ? 'ownRoleChanges' : 'roleChanges')}
        yes="yesRole"
        about={`team role ${user_id}`}
        byDefault={{ role }}
        {...{ refusals, onClose }}
        fields={(fields, draft) => <RoleChoice {...{ fields, draft }} />}
        send={(fields, idempotencyKey) =>
          api().setTeamMember({ email, role: roleIn(fields) }, { idempotencyKey })
        }
      />
    );
  const what = removalOf(member, isMe);
  return (
    <Ask
      title={say(`ask_${what}`, { name })}
      text={say(`${what}Means`)}
      yes={`yes_${what}`}
      isDanger
      about={`team removal ${user_id}`}
      {...{ refusals, onClose }}
      send={() => api().removeTeamMember({ user_id })}
    />
  );
};

const roleIn = (fields: Fields): Role => roles.find((one) => one === fields['role']) ?? 'STAFF';

/** A role, with what it may do. */
const RoleChoice = ({ fields, draft }: { fields: Fields; draft: Draft }) => (
  <>
    <Choice
      label={say('role')}
      value={roleIn(fields)}
      options={roles.map((role) => [role, say(`role_${role}`)])}
      onChoose={(value) => draft.change('role', value)}
    />
    <p class="quiet">{say(`may_${roleIn(fields)}`)}</p>
  </>
);
