import type { WrittenLanguage } from '../../../platform/text/language.ts';

type Fact = 'listing' | 'host' | 'from' | 'until' | 'booking' | 'nights' | 'read' | 'problem' | 'since';

interface MailWords {
  /** @param about - the listing, of an outage the host name of the calendars */
  subject: (about: string) => string;
  paragraphs: readonly string[];
}

interface Words {
  greeting: (name: string) => string;
  labels: Record<Fact, string>;
  footer: string;
  mails: Record<'conflict' | 'quarantined' | 'read_in_part' | 'stale', MailWords>;
}

/** The words of mails to a team about calendars of other platforms (D118). */
export const calendarWords: Record<WrittenLanguage, Words> = {
  vi: {
    greeting: (name) => `Xin chào ${name},`,
    labels: {
      listing: 'Chỗ ở',
      host: 'Lịch',
      from: 'Từ',
      until: 'Đến',
      booking: 'Đặt phòng',
      nights: 'Số đêm',
      read: 'Đã đọc',
      problem: 'Vấn đề',
      since: 'Lần đọc tốt cuối cùng',
    },
    footer: 'Thư này được gửi cho chủ sở hữu và quản lý của nhóm.',
    mails: {
      conflict: {
        subject: (listing) => `Trùng lịch: ${listing}`,
        paragraphs: [
          'Một lịch mà chỗ ở của bạn theo dõi có thời gian đã được đặt hoặc chặn tại đây. Có thể một đêm đã bị bán hai lần.',
          'Không có gì bị thay đổi. Hãy kiểm tra cả hai nơi và liên hệ với khách.',
        ],
      },
      quarantined: {
        subject: (listing) => `Một lịch mất nhiều đêm cùng lúc: ${listing}`,
        paragraphs: [
          'Một lịch mà chỗ ở của bạn theo dõi đã mất quá nhiều đêm cùng lúc. Những đêm đó vẫn bị chặn.',
          'Nếu lịch đúng, hãy thêm lại cùng địa chỉ; khi những đêm đó trở lại, bạn không cần làm gì.',
        ],
      },
      read_in_part: {
        subject: (listing) => `Lịch đã được thêm, với vài điều cần biết: ${listing}`,
        paragraphs: [
          'Lịch bạn vừa thêm có sự kiện được đánh dấu là trống, nên không chặn gì, hoặc chỉ hiểu được một phần, nên chặn thời gian dài nhất có thể.',
        ],
      },
      stale: {
        subject: (host) => `Lịch bên ngoài không cập nhật: ${host}`,
        paragraphs: [
          'Lịch mà các chỗ ở sau đây theo dõi đã không đọc được trong ba giờ qua. Đặt phòng mới ở nền tảng đó chưa được chặn tại đây, nên một đêm có thể bị bán hai lần.',
          'Những đêm đã chặn vẫn được giữ. Chúng tôi thử lại mỗi 30 phút và sau mỗi lần đặt phòng. Hãy kiểm tra địa chỉ lịch ở nền tảng kia và thêm lại nếu địa chỉ đã đổi.',
        ],
      },
    },
  },
  en: {
    greeting: (name) => `Hello ${name},`,
    labels: {
      listing: 'Listing',
      host: 'Calendar',
      from: 'From',
      until: 'Until',
      booking: 'Booking',
      nights: 'Nights',
      read: 'Read',
      problem: 'Problem',
      since: 'Last good fetch',
    },
    footer: 'This mail goes to the owners and managers of the team.',
    mails: {
      conflict: {
        subject: (listing) => `Calendars conflict: ${listing}`,
        paragraphs: [
          'A calendar that your listing follows has time that is booked or blocked here. A night may have been sold twice.',
          'Nothing was changed. Please look at both places, and speak with the guests.',
        ],
      },
      quarantined: {
        subject: (listing) => `A calendar lost many nights at once: ${listing}`,
        paragraphs: [
          'A calendar that your listing follows lost too many nights at once. They stay blocked.',
          'If the calendar is right, add the same address again. If the nights come back, there is nothing to do.',
        ],
      },
      read_in_part: {
        subject: (listing) => `A calendar was added, and there is something to know: ${listing}`,
        paragraphs: [
          'The calendar that you added has events which are marked as free, and block nothing, or which are understood in part, and block the longest time that they may mean.',
        ],
      },
      stale: {
        subject: (host) => `Calendars are out of date: ${host}`,
        paragraphs: [
          'The calendars that these listings follow could not be read for three hours. New bookings of that platform are not blocked here meanwhile, so a night may be sold twice.',
          'What was blocked stays blocked. We try again every 30 minutes and after each booking. Please check the address of the calendar at the other platform, and add it again if it has changed.',
        ],
      },
    },
  },
};
