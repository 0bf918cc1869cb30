export { createParkingRule } from './create-parking-rule.ts';
export { deleteParkingRule } from './delete-parking-rule.ts';
export { listParkingRules } from './list-parking-rules.ts';
export { type ParkingRules, ParkingRulesEntity } from './parking-rules.entity.ts';
export { updateParkingRule } from './update-parking-rule.ts';
