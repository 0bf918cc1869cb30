import type { IssuedTeamKey, TeamKey } from '@nightlatch/client';
import { useState } from 'preact/hooks';
import { usePages } from '../data/pages.ts';
import { Facts } from '../parts/facts.tsx';
import { More } from '../parts/more.tsx';
import { notify } from '../parts/notice.ts';
import { ReadingState } from '../parts/reading-state.tsx';
import { api } from '../session/session.ts';
import { say, sayInstant, sayName } from '../words/index.ts';
import { Ask, type Refusals } from './ask.tsx';
import { IssuedKey } from './issued-key.tsx';
import { KeyFields } from './key-fields.tsx';
import { keyDefaults, keyOf } from './key-request.ts';

/** A key has no stored answer: what is lost is revoked, and made anew. */
const refusals: Refusals = { INVALID_STATE_TRANSITION: 'keyRefused', lost: 'keyLost' };

type Asked = { what: 'MAKE' } | { what: 'ROTATE' | 'REVOKE'; key: TeamKey };

/** The API keys of the team. */
export const Keys = () => {
  const [asked, ask] = useState<Asked | undefined>(undefined);
  const [issued, setIssued] = useState<IssuedTeamKey | undefined>(undefined);
  const list = usePages('keys', {
    readPage: (cursor) => api().listTeamKeys({ limit: 20, cursor }),
    idOf: ({ key_id }: TeamKey) => key_id,
  });
  const keys = list.reading.data?.items;
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">{say('keys')}</h2>
      <ReadingState reading={list.reading} />
      {keys?.length === 0 && <p class="quiet">{say('noKeys')}</p>}
      <ul>
        {keys?.map((key) => (
          <Key key={key.key_id} of={key} ask={ask} />
        ))}
      </ul>
      <More label={say('earlierKeys')} more={list.more} />
      <button type="button" onClick={() => ask({ what: 'MAKE' })}>
        {say('makeKey')}
      </button>
      {asked && (
        <Question
          key={JSON.stringify(asked)}
          {...{ asked, setIssued }}
          onClose={(isDone) => {
            ask(undefined);
            if (isDone && asked.what === 'REVOKE') notify({ text: say('done') });
          }}
        />
      )}
      {issued && <IssuedKey of={issued} onClose={() => setIssued(undefined)} />}
    </section>
  );
};

const nameOf = ({ name, hint }: TeamKey): string => name ?? hint;

const Key = ({ of: key, ask }: { of: TeamKey; ask: (asked: Asked) => void }) => {
  const { hint, api_key, scopes, allowed_origins, state, is_shared, expires_at, allow_ip } = key;
  const { last_used, created_at, revoked_at } = key;
  const instant = (at: string | null): string | null => (at === null ? null : sayInstant(at));
  return (
    <li class="card">
      <span class="line">
        <strong>{nameOf(key)}</strong>
        <span class={`chip state-${state === 'ACTIVE' ? 'checked_in' : 'cancelled'}`}>
          {sayName(state, 'key_')}
        </span>
      </span>
      <Facts
        rows={[
          [say('keyHint'), api_key ?? `${hint}…`],
          [say('scopes'), scopes.map((scope) => sayName(scope, 'scope_')).join(', ') || null],
          [say('key_origins'), allowed_origins.join(', ') || null],
          [say('lastUsed'), instant(last_used) ?? say('neverUsed')],
          [say('keyExpires'), state === 'REVOKED' ? null : (instant(expires_at) ?? say('noEnd'))],
          [say('revokedAt'), instant(revoked_at)],
          [say('madeAt'), instant(created_at)],
          [say('addresses'), allow_ip.length === 0 ? null : allow_ip.join(', ')],
        ]}
      />
      {is_shared && <p class="quiet">{say('sharedKey')}</p>}
      {state === 'ACTIVE' && (
        <p class="actions">
          {!is_shared && api_key === null && (
            <button
              type="button"
              aria-label={say('of', { what: say('rotate'), name: nameOf(key) })}
              onClick={() => ask({ what: 'ROTATE', key })}
            >
              {say('rotate')}
            </button>
          )}
          <button
            type="button"
            class="danger"
            aria-label={say('of', { what: say('revoke'), name: nameOf(key) })}
            onClick={() => ask({ what: 'REVOKE', key })}
          >
            {say('revoke')}
          </button>
        </p>
      )}
    </li>
  );
};

interface QuestionProps {
  asked: Asked;
  setIssued: (key: IssuedTeamKey) => void;
  onClose: (isDone: boolean) => void;
}

const Question = ({ asked, setIssued, onClose }: QuestionProps) => {
  if (asked.what === 'MAKE')
    return (
      <Ask
        title={say('askMakeKey')}
        text={say('keyMeans')}
        yes="yesMakeKey"
        about="team key"
        byDefault={keyDefaults}
        {...{ refusals, onClose }}
        fields={(fields, draft) => <KeyFields {...{ fields, draft }} />}
        send={async (fields) => setIssued(await api().createTeamKey(keyOf(fields)))}
      />
    );
  const { key_id, is_shared } = asked.key;
  const name = nameOf(asked.key);
  if (asked.what === 'ROTATE')
    return (
      <Ask
        title={say('askRotate', { name })}
        text={say('rotateMeans')}
        yes="yesRotate"
        about={`team rotate ${key_id}`}
        {...{ refusals, onClose }}
        send={async () => setIssued(await api().rotateTeamKey({ key_id }))}
      />
    );
  return (
    <Ask
      title={say('askRevoke', { name })}
      text={say(is_shared ? 'revokeSharedMeans' : 'revokeMeans')}
      yes="yesRevoke"
      isDanger
      about={`team revoke ${key_id}`}
      {...{ onClose }}
      send={() => api().revokeTeamKey({ key_id })}
    />
  );
};
