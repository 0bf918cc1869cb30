import { expect, it } from 'vitest';
import { seedDemo } from '../../infra/local/demo/index.ts';
import { moveBooking } from '../../shared/domain/booking/move-booking.ts';
import { exampleIds } from '../../shared/platform/http/example-records.ts';
import { fixedClock } from '../../shared/platform/time/clock.ts';
import { testContext, testDependencies, testUser } from '../support/table.ts';

it('the demo begins after midnight too: who arrives then has the home until the stay begins', async () => {
  const deps = await testDependencies({ clock: fixedClock('2027-01-15T17:30:00Z') });
  await seedDemo({
    deps,
    createAccount: async ({ email, email_verified }) => deps.provider.add({ email, email_verified }),
    ...{ apiUrl: 'http://127.0.0.1:4000', size: 'small' },
  });
  const memberships = [{ team_id: exampleIds.team, role: 'STAFF' as const }];
  const staff = testContext(deps, (await testUser(deps, { memberships })).caller);
  for (const move of ['check_in', 'undo_check_in'] as const) {
    const id = move === 'check_in' ? exampleIds.toCheckIn : exampleIds.toUndo;
    expect(await moveBooking(staff, id, move)).toMatchObject({ id });
  }
});
