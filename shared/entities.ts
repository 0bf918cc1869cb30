import { OrderEntity, ReservationEntity } from './domain/booking/booking.entity.ts';
import { DueBookingEntity } from './domain/booking/due-booking.entity.ts';
import { CartItemEntity } from './domain/cart/cart.entity.ts';
import { AvailabilityEntryEntity, CalendarMonthEntity } from './domain/calendar/calendar.entity.ts';
import { ChatMarkEntity, MessageEntity, ThreadEntity } from './domain/chat/chat.entity.ts';
import { CallerCheckoutsEntity } from './domain/checkout/caller-checkouts.entity.ts';
import { UnpaidStaysEntity } from './domain/checkout/unpaid-stays.entity.ts';
import { ExternalReferenceEntity } from './domain/checkout/external-reference.entity.ts';
import { MembershipEntity } from './domain/customer/membership.entity.ts';
import { EmailOwnerEntity, SubjectEntity, UserEntity } from './domain/customer/user.entity.ts';
import { SignedOutTokenEntity } from './domain/customer/signed-out-token.entity.ts';
import { PasswordMailsEntity } from './domain/customer/password-mails.entity.ts';
import { VerificationMailsEntity } from './domain/customer/verification-mails.entity.ts';
import { FeedExportEntity } from './domain/ical/feed-export.entity.ts';
import { FeedContentsEntity, FollowedFeedEntity } from './domain/ical/followed-feed.entity.ts';
import { FeedRevisionEntity, FeedTokenEntity } from './domain/ical/ical.entity.ts';
import { ApiKeyEntity, ApiKeyIdEntity, PartnerKeyEntity } from './domain/key/key.entity.ts';
import { ListingEntity, ListingSlugEntity } from './domain/listing/listing.entity.ts';
import { ListingViewsEntity } from './domain/listing/listing-views.entity.ts';
import { DuePaymentEntity, PaymentEntity, PaymentRefundEntity } from './domain/payment/payment.entity.ts';
import { DueMailEntity } from './domain/notification/due-mail.entity.ts';
import { ParkingRulesEntity } from './domain/parking/parking-rules.entity.ts';
import { HouseRulesEntity } from './domain/policy/policies.entity.ts';
import { PricePartOwnerEntity } from './domain/pricing/price-part-owner.entity.ts';
import { PricePartsEntity } from './domain/pricing/price-parts.entity.ts';
import { ReviewEntity } from './domain/review/review.entity.ts';
import { SearchChunkEntity, SearchEntryEntity, SearchTermEntity } from './domain/search/search.entity.ts';
import { TeamEntity } from './domain/team/team.entity.ts';
import { DeliveryEntity } from './domain/webhook/delivery.entity.ts';
import { EventPageEntity } from './domain/webhook/event-page.entity.ts';
import { SubscriberEntity, WebhookCountEntity, WebhookEntity } from './domain/webhook/webhook.entity.ts';
import { EventEntity } from './platform/events/event.entity.ts';
import { HandledEventEntity } from './platform/events/handled-event.entity.ts';
import { IdempotencyEntity } from './platform/http/idempotency.entity.ts';
import { RateWindowEntity } from './platform/http/rate-window.entity.ts';
import { ListChunkEntity, ListHeadEntity } from './platform/lists/list.entity.ts';

/** Every kind of item in the one table: keys, indexes, expiry and the chart of access patterns are derived from them. */
export const entities = [
  ListingEntity,
  ListingSlugEntity,
  ListingViewsEntity,
  PricePartsEntity,
  PricePartOwnerEntity,
  ParkingRulesEntity,
  HouseRulesEntity,
  CalendarMonthEntity,
  AvailabilityEntryEntity,
  CallerCheckoutsEntity,
  UnpaidStaysEntity,
  CartItemEntity,
  OrderEntity,
  ReservationEntity,
  DueBookingEntity,
  ExternalReferenceEntity,
  PaymentEntity,
  PaymentRefundEntity,
  DuePaymentEntity,
  EventEntity,
  HandledEventEntity,
  ThreadEntity,
  MessageEntity,
  ChatMarkEntity,
  DueMailEntity,
  FeedTokenEntity,
  FeedRevisionEntity,
  FeedExportEntity,
  FollowedFeedEntity,
  FeedContentsEntity,
  ReviewEntity,
  SearchChunkEntity,
  SearchEntryEntity,
  SearchTermEntity,
  TeamEntity,
  UserEntity,
  SubjectEntity,
  EmailOwnerEntity,
  MembershipEntity,
  VerificationMailsEntity,
  PasswordMailsEntity,
  SignedOutTokenEntity,
  ApiKeyEntity,
  ApiKeyIdEntity,
  PartnerKeyEntity,
  WebhookEntity,
  WebhookCountEntity,
  SubscriberEntity,
  EventPageEntity,
  DeliveryEntity,
  ListHeadEntity,
  ListChunkEntity,
  IdempotencyEntity,
  RateWindowEntity,
] as const;
