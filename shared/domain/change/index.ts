export {
  changeBooking,
  changeExternalBooking,
  previewChange,
  previewExternalChange,
} from './change-booking.ts';
