import { speaker } from '../speaker.ts';
import { enCommon } from './en.ts';
import { viCommon } from './vi.ts';

/** Says what the board and the page for guests both say. */
export const { say } = speaker({ vi: viCommon, en: enCommon });

export const sayNights = (count: number): string => (count === 1 ? say('night') : say('nights', { count }));
export const sayGuests = (count: number): string => (count === 1 ? say('guest') : say('guests', { count }));
