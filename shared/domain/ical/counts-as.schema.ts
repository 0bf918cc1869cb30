import * as z from 'zod';

/** Which events of a followed calendar are stays of guests (D120). */
export const CountsAs = z.enum(['STAYS', 'BLOCKS', 'BY_TEXT']).meta({
  id: 'CountsAs',
  description:
    'Which events are stays of guests: all of them, none, or by their text: "Not available", "Blocked", "Closed" and an empty one are blocks, "Reserved", "Booked", names and all others are stays.',
});
export type CountsAs = z.infer<typeof CountsAs>;
