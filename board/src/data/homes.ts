import { useReading } from './reading.ts';
import { api } from '../session/session.ts';

/** The homes of the team, by which a page names one. */
export const useHomes = () =>
  useReading('homes', () => api().listListings({ limit: 100 }), { isLasting: true }).data?.items ?? [];
