import type { ClassifiedFields } from '../../platform/table/personal-data.ts';

/** The classes of the texts of the search index, which holds listings alone. */
export const searchData: Record<string, ClassifiedFields> = {
  SearchCell: { none: 'cell chunks' },
  SearchPlane: { none: 'cell plane packed' },
  SearchEntry: { none: 'place.cell packed' },
  SearchTerm: { none: 'sign cell' },
};
