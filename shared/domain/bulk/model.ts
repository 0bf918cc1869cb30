export { BulkChangeEntity, BulkResultEntity } from './bulk.entity.ts';
