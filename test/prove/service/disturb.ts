import type { Cloud } from './cloud.ts';
import type { Simulation } from './simulation.ts';
import type { Weather } from './weather.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

type Place = Parameters<Weather['break']>[0];

/** Deployments, and outages of whole places, none of which begins in a calm. */
export const disturb = (sim: Simulation, weather: Weather, cloud: Cloud, hostileMs: number): void => {
  const outage = (place: Place, minutes: [number, number]): void => {
    if (!weather.isCalm) weather.break(place, sim.now() + sim.between(...minutes) * minuteMs);
  };
  if (cloud.willDeploy) sim.later(sim.between(0.3, 1.7) * hourMs, () => cloud.deploy());
  if (sim.chance(0.4)) sim.later(sim.random() * hostileMs, () => outage('gateway', [5, 60]));
  if (sim.chance(0.2)) sim.later(sim.random() * hostileMs, () => outage('mail', [5, 40]));
  if (sim.chance(0.2)) sim.later(sim.between(0, 2) * hourMs, () => outage('calendar', [5, 40]));
  if (sim.chance(0.15)) sim.later(sim.random() * hostileMs, () => outage('identity', [2, 20]));
  if (sim.chance(0.15)) sim.later(sim.random() * hostileMs, () => outage('table write', [1, 5]));
};
