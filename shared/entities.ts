import { AuditRoundEntity } from './domain/audit/model.ts';
import { DueBookingEntity, OrderEntity, ReservationEntity } from './domain/booking/model.ts';
import {
  BulkChangeEntity,
  BulkResultEntity,
  PricePartOwnerEntity,
  PricePartsEntity,
} from './domain/pricing/model.ts';
import { AvailabilityEntryEntity, CalendarMonthEntity } from './domain/calendar/model.ts';
import { ChatMarkEntity, MessageEntity, ThreadEntity } from './domain/chat/model.ts';
import {
  CallerCheckoutsEntity,
  CartAdditionEntity,
  CartItemEntity,
  ExternalReferenceEntity,
  QuoteEntity,
  UnpaidStaysEntity,
} from './domain/checkout/model.ts';
import {
  FeedContentsEntity,
  FeedConflictsEntity,
  FeedExportEntity,
  FeedRevisionEntity,
  FeedTokenEntity,
  FollowedFeedEntity,
} from './domain/ical/model.ts';
import {
  ListingChangeEntity,
  ListingEntity,
  ListingSlugEntity,
  ListingViewsEntity,
  ParkingRulesEntity,
  PoliciesEntity,
  ReviewEntity,
} from './domain/listing/model.ts';
import { BankTransferEntity, ReportKeyEntity, TeamAccountsEntity } from './domain/transfer/model.ts';
import {
  DueMailEntity,
  KeyMailsEntity,
  MailTurnsEntity,
  OutageEntity,
  TeamMailEntity,
} from './domain/notification/model.ts';
import { DuePaymentEntity, PaymentEntity, PaymentRefundEntity } from './domain/payment/model.ts';
import {
  ApiKeyEntity,
  ApiKeyIdEntity,
  EmailOwnerEntity,
  FirstPasswordEntity,
  InvitationEntity,
  InvitationMailsEntity,
  InvitationSecretEntity,
  MembershipEntity,
  PartnerKeyEntity,
  LoginFailuresEntity,
  PasswordMailsEntity,
  SignedOutTokenEntity,
  SubjectEntity,
  TeamEntity,
  TeamKeyEntity,
  UserEntity,
  VerificationMailsEntity,
} from './domain/people/model.ts';
import {
  SearchCellEntity,
  SearchEntryEntity,
  SearchPlaneEntity,
  SearchTermEntity,
} from './domain/search/model.ts';
import {
  DeliveryEntity,
  EventPageEntity,
  SubscriberEntity,
  SubscriptionCountEntity,
  WebhookCountEntity,
  WebhookEntity,
} from './domain/webhook/model.ts';
import { EventEntity } from './platform/events/event.entity.ts';
import { HandledEventEntity } from './platform/events/handled-event.entity.ts';
import { IdempotencyEntity } from './platform/http/idempotency.entity.ts';
import { RateWindowEntity } from './platform/http/rate-window.entity.ts';
import { ListChunkEntity, ListHeadEntity } from './platform/lists/list.entity.ts';
import { OperatorChangeEntity } from './platform/operator/operator-change.entity.ts';

/** Every kind of item in the table. Keys, indexes, expiry and the chart of access patterns are derived from it. */
export const entities = [
  ListingEntity,
  ListingSlugEntity,
  ListingViewsEntity,
  PricePartsEntity,
  PricePartOwnerEntity,
  ParkingRulesEntity,
  PoliciesEntity,
  ListingChangeEntity,
  CalendarMonthEntity,
  AvailabilityEntryEntity,
  BulkChangeEntity,
  BulkResultEntity,
  CallerCheckoutsEntity,
  UnpaidStaysEntity,
  CartItemEntity,
  CartAdditionEntity,
  OrderEntity,
  ReservationEntity,
  DueBookingEntity,
  ExternalReferenceEntity,
  QuoteEntity,
  PaymentEntity,
  PaymentRefundEntity,
  DuePaymentEntity,
  EventEntity,
  HandledEventEntity,
  ThreadEntity,
  MessageEntity,
  ChatMarkEntity,
  DueMailEntity,
  TeamMailEntity,
  MailTurnsEntity,
  OutageEntity,
  KeyMailsEntity,
  FeedTokenEntity,
  FeedRevisionEntity,
  FeedExportEntity,
  FollowedFeedEntity,
  FeedConflictsEntity,
  FeedContentsEntity,
  ReviewEntity,
  SearchCellEntity,
  SearchPlaneEntity,
  SearchEntryEntity,
  SearchTermEntity,
  TeamEntity,
  TeamAccountsEntity,
  BankTransferEntity,
  ReportKeyEntity,
  UserEntity,
  SubjectEntity,
  EmailOwnerEntity,
  FirstPasswordEntity,
  MembershipEntity,
  InvitationEntity,
  InvitationSecretEntity,
  InvitationMailsEntity,
  VerificationMailsEntity,
  LoginFailuresEntity,
  PasswordMailsEntity,
  SignedOutTokenEntity,
  ApiKeyEntity,
  ApiKeyIdEntity,
  PartnerKeyEntity,
  TeamKeyEntity,
  WebhookEntity,
  SubscriptionCountEntity,
  WebhookCountEntity,
  SubscriberEntity,
  EventPageEntity,
  DeliveryEntity,
  ListHeadEntity,
  ListChunkEntity,
  AuditRoundEntity,
  OperatorChangeEntity,
  IdempotencyEntity,
  RateWindowEntity,
] as const;
