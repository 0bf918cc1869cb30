import type { WrittenLanguage } from '../../../platform/text/language.ts';
import { en } from './en.ts';
import { vi } from './vi.ts';
import type { Words } from './words.ts';

/** All words of mail about bookings, by language (D66, D91). */
export const bookingWords: Record<WrittenLanguage, Words> = { vi, en };
