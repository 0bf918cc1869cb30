import { describe, expect, it } from 'vitest';
import { countRequest } from '../../shared/platform/metrics/index.ts';
import { figuresOf } from '../support/figures.ts';

describe('what a response counts', () => {
  it('is one metric of its group and status, whatever the operation', async () => {
    const figures = await figuresOf(async () => {
      countRequest('checkout', 'confirmCheckout', 201);
      countRequest('checkout', 'previewCheckout', 200);
      countRequest('checkout', 'confirmCheckout', 409);
    });
    const places = new Set(figures.map(({ name, dimensions }) => JSON.stringify([name, dimensions])));
    expect(figures.length).toBe(3);
    expect(places.size).toBe(2);
    for (const { dimensions } of figures) {
      expect(dimensions['group']).toBe('checkout');
      expect(Object.keys(dimensions)).not.toContain('operation');
    }
  });
});
