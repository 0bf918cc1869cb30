import type { Draft, Fields } from '../data/drafts.ts';
import { Choice } from '../parts/choice.tsx';
import { say } from '../words/index.ts';
import { scopes, scopesIn } from './key-request.ts';

interface KeyFieldsProps {
  fields: Fields;
  draft: Draft;
}

/** What is asked of a new key. */
export const KeyFields = ({ fields, draft }: KeyFieldsProps) => {
  const input = (name: 'name' | 'until', more: object) => (
    <label>
      {say(`key_${name}`)}
      <input
        {...{ name, autocomplete: 'off', ...more }}
        value={fields[name] ?? ''}
        onInput={({ currentTarget: { value } }) => draft.change(name, value)}
      />
    </label>
  );
  return (
    <>
      <Choice
        label={say('key_kind')}
        value={fields['kind'] ?? 'SECRET'}
        options={(['SECRET', 'PUBLISHABLE'] as const).map((kind) => [kind, say(`key_${kind}`)])}
        onChoose={(kind) => draft.change('kind', kind)}
      />
      {input('name', { required: true, maxLength: 255 })}
      {input('until', { type: 'date' })}
      {fields['kind'] === 'PUBLISHABLE' ? (
        <Area name="origins" {...{ fields, draft }} />
      ) : (
        <Secret {...{ fields, draft }} />
      )}
    </>
  );
};

const Area = ({ name, fields, draft }: KeyFieldsProps & { name: 'origins' | 'addresses' }) => (
  <label>
    {say(`key_${name}`)}
    <textarea
      name={name}
      rows={2}
      value={fields[name] ?? ''}
      onInput={({ currentTarget: { value } }) => draft.change(name, value)}
    />
  </label>
);

/** What a secret key may do. */
const Secret = ({ fields, draft }: KeyFieldsProps) => {
  const chosen = scopesIn(fields);
  return (
    <>
      <fieldset>
        <legend>{say('scopes')}</legend>
        {scopes.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              required={chosen.length === 0}
              onChange={({ currentTarget: { checked } }) =>
                draft.change(
                  'scopes',
                  scopes.filter((one) => (one === scope ? checked : chosen.includes(one))).join(' '),
                )
              }
            />
            {say(`scope_${scope}`)}
          </label>
        ))}
      </fieldset>
      <Area name="addresses" {...{ fields, draft }} />
      <label class="check">
        <input
          type="checkbox"
          checked={fields['guest_links'] === 'yes'}
          onChange={({ currentTarget: { checked } }) => draft.change('guest_links', checked ? 'yes' : 'no')}
        />
        {say('key_guestLinks')}
      </label>
    </>
  );
};
