import type { Draft, Fields } from '../data/drafts.ts';
import { say } from '../words/index.ts';
import { scopes, scopesIn } from './key-request.ts';

interface KeyFieldsProps {
  fields: Fields;
  draft: Draft;
}

/** What is asked of a new key. */
export const KeyFields = ({ fields, draft }: KeyFieldsProps) => {
  const chosen = scopesIn(fields);
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
      {input('name', { required: true, maxLength: 255 })}
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
      {input('until', { type: 'date' })}
      <label>
        {say('key_addresses')}
        <textarea
          name="addresses"
          rows={2}
          value={fields['addresses'] ?? ''}
          onInput={({ currentTarget: { value } }) => draft.change('addresses', value)}
        />
      </label>
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
