export { getPolicies } from './get-policies.ts';
export { type HouseRules, HouseRulesEntity } from './policies.entity.ts';
export { putPolicies } from './put-policies.ts';
