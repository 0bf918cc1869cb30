import type { Issue } from '../../platform/errors.ts';
import { catalogItems } from './catalog.ts';

const viewCodes = catalogItems
  .filter(({ catalog_type }) => catalog_type === 'view_type')
  .map(({ code }) => code);

/** Views that the catalog does not have; what a listing has already may stay. */
export const viewTypeIssues = (
  views: readonly string[] | null,
  before: readonly string[] | null = null,
): Issue[] =>
  (views ?? []).flatMap((view, position) =>
    viewCodes.includes(view) || before?.includes(view)
      ? []
      : [
          {
            path: `view_types[${position}]`,
            message: `must be a code of the catalog view_type: ${viewCodes.join(', ')}`,
          },
        ],
  );
