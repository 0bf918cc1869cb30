import { bookingLabels } from './booking-labels.ts';
import type { Words } from './words.ts';

export const vi: Words = {
  ...bookingLabels.vi,
  openings: {
    guest: {
      requested: {
        subject: (listing) => `Đã gửi yêu cầu đặt phòng: ${listing}`,
        sentence: (listing) =>
          `Chúng tôi đã nhận yêu cầu đặt phòng của bạn tại ${listing}. Chủ nhà sẽ trả lời trong vòng 24 giờ; trong lúc chờ, phòng được giữ cho bạn.`,
      },
      to_pay: {
        subject: (listing) => `Đặt phòng chờ thanh toán: ${listing}`,
        sentence: (listing) =>
          `Phòng của bạn tại ${listing} đang được giữ. Đặt phòng chỉ chắc chắn khi bạn đã thanh toán.`,
      },
      change_to_pay: {
        subject: (listing) => `Thay đổi đặt phòng chờ thanh toán: ${listing}`,
        sentence: (listing) =>
          `Chủ nhà đề nghị thay đổi đặt phòng của bạn như sau: ${listing}. Thay đổi chỉ có hiệu lực khi bạn đã thanh toán số tiền còn thiếu.`,
      },
      due_to_pay: {
        subject: (listing) => `Đặt phòng của bạn còn khoản cần thanh toán: ${listing}`,
        sentence: (listing) => `Chủ nhà mời bạn thanh toán số tiền còn thiếu cho kỳ nghỉ tại ${listing}.`,
      },
      deposit_asked: {
        subject: (listing) => `Tiền đặt cọc cho đặt phòng của bạn: ${listing}`,
        sentence: (listing) =>
          `Chủ nhà mời bạn cho giữ tiền đặt cọc trên thẻ cho kỳ nghỉ tại ${listing}. Thẻ chưa bị trừ tiền; khoản giữ được bỏ sau kỳ nghỉ.`,
      },
      window: {
        subject: (listing) => `Vui lòng thanh toán sớm: ${listing}`,
        sentence: (listing) => `Thời hạn thanh toán cho kỳ nghỉ tại ${listing} sắp hết.`,
      },
      balance: {
        subject: (listing) => `Số tiền còn lại của đặt phòng: ${listing}`,
        sentence: (listing) => `Đây là số tiền bạn còn phải thanh toán cho kỳ nghỉ tại ${listing}.`,
      },
      booked: {
        subject: (listing) => `Đặt phòng thành công: ${listing}`,
        sentence: (listing) => `Bạn đã đặt phòng thành công tại ${listing}. Hẹn gặp bạn!`,
      },
      confirmed: {
        subject: (listing) => `Đặt phòng đã được xác nhận: ${listing}`,
        sentence: (listing) => `Đặt phòng của bạn tại ${listing} đã được xác nhận. Hẹn gặp bạn!`,
      },
      change_given_up: {
        subject: (listing) => `Đặt phòng của bạn trở lại như trước: ${listing}`,
        sentence: (listing) =>
          `Thay đổi của đặt phòng tại ${listing} đã không được thanh toán kịp thời. Đặt phòng của bạn vẫn giữ như trước khi thay đổi.`,
      },
      change_kept: {
        subject: (listing) => `Đặt phòng của bạn có khoản cần thanh toán: ${listing}`,
        sentence: (listing) =>
          `Thay đổi của đặt phòng tại ${listing} đã không được thanh toán kịp thời. Đặt phòng của bạn giữ như đã thay đổi; vui lòng trả phần còn lại khi đến.`,
      },
      changed: {
        subject: (listing) => `Đặt phòng của bạn đã được thay đổi: ${listing}`,
        sentence: (listing) => `Đặt phòng của bạn tại ${listing} đã được thay đổi. Sau đây là thông tin mới.`,
      },
      declined: {
        subject: (listing) => `Yêu cầu đặt phòng bị từ chối: ${listing}`,
        sentence: (listing) =>
          `Chủ nhà đã từ chối yêu cầu đặt phòng của bạn tại ${listing}. Khoản bạn đã trả được hoàn lại đầy đủ.`,
      },
      no_show: {
        subject: (listing) => `Bạn đã không đến nhận phòng: ${listing}`,
        sentence: (listing) =>
          `Đặt phòng của bạn tại ${listing} đã được đóng vì bạn chưa nhận phòng. Nếu có nhầm lẫn, vui lòng nhắn cho chủ nhà.`,
      },
      access_released: {
        subject: (listing) => `Wi-Fi và mã cửa: ${listing}`,
        sentence: (listing) =>
          `Chủ nhà tại ${listing} đã mở thông tin nhận phòng cho bạn. Bạn xem được trong đặt phòng từ 24 giờ trước giờ nhận phòng.`,
      },
      cancelled: {
        subject: (listing) => `Đặt phòng đã bị hủy: ${listing}`,
        sentence: (listing) => `Đặt phòng của bạn tại ${listing} đã bị hủy.`,
      },
      restored: {
        subject: (listing) => `Đặt phòng đã được khôi phục: ${listing}`,
        sentence: (listing) =>
          `Khoản chuyển khoản của bạn đến sau khi đặt phòng tại ${listing} đã bị hủy. Thời gian đó vẫn còn trống nên đặt phòng của bạn đã được khôi phục. Hẹn gặp bạn!`,
      },
      paid: {
        subject: (listing) => `Biên nhận thanh toán: ${listing}`,
        sentence: (listing) => `Cảm ơn bạn, chúng tôi đã nhận được khoản thanh toán cho ${listing}.`,
      },
      refunded: {
        subject: (listing) => `Hoàn tiền: ${listing}`,
        sentence: (listing) =>
          `Bạn được hoàn tiền cho đặt phòng tại ${listing}. Sau đây là số tiền và cách bạn nhận được.`,
      },
      deposit_kept: {
        subject: (listing) => `Tiền đặt cọc của bạn: ${listing}`,
        sentence: (listing) =>
          `Chủ nhà tại ${listing} giữ lại tiền đặt cọc của bạn hoặc một phần. Sau đây là số tiền và lý do.`,
      },
      address_corrected: {
        subject: (listing) => `Đặt phòng của bạn: ${listing}`,
        sentence: (listing) =>
          `Đặt phòng của bạn tại ${listing} nay dùng địa chỉ email này. Sau đây là thông tin đặt phòng.`,
      },
      reminder: {
        subject: (listing) => `Sắp đến ngày nhận phòng: ${listing}`,
        sentence: (listing) => `Kỳ nghỉ của bạn tại ${listing} sắp bắt đầu. Đây là những gì bạn cần khi đến.`,
      },
      review: {
        subject: (listing) => `Kỳ nghỉ của bạn thế nào? ${listing}`,
        sentence: (listing) =>
          `Cảm ơn bạn đã ở tại ${listing}. Hãy chấm từ 1 đến 5 điểm và viết vài dòng cho khách sau: mở đặt phòng này bằng liên kết trong thư, hoặc ở ứng dụng hay trang web nơi bạn đã đặt, và chọn đánh giá.`,
      },
    },
    host: {
      requested: {
        subject: (listing) => `Yêu cầu đặt phòng mới: ${listing}`,
        sentence: (listing) =>
          `Có khách muốn đặt ${listing}. Vui lòng xác nhận trong vòng 24 giờ, sau đó yêu cầu sẽ tự hủy.`,
      },
      to_pay: {
        subject: (listing) => `Đặt phòng mới, chờ khách thanh toán: ${listing}`,
        sentence: (listing) =>
          `${listing} vừa có đặt phòng mới. Thời gian được giữ trong lúc khách thanh toán.`,
      },
      window_of_host: {
        subject: (listing) => `Chưa nhận được chuyển khoản: ${listing}`,
        sentence: (listing) =>
          `Một đặt phòng tại ${listing}, hoặc phần đã thay đổi, sẽ tự hủy nếu tiền không đến kịp. Bạn có thể ghi nhận đã thanh toán, hoặc cho khách thêm thời gian.`,
      },
      booked: {
        subject: (listing) => `Đặt phòng mới: ${listing}`,
        sentence: (listing) => `${listing} vừa có đặt phòng mới.`,
      },
      confirmed: {
        subject: (listing) => `Đã xác nhận đặt phòng: ${listing}`,
        sentence: (listing) => `Đặt phòng tại ${listing} đã được xác nhận.`,
      },
      change_given_up: {
        subject: (listing) => `Đã bỏ thay đổi chưa thanh toán: ${listing}`,
        sentence: (listing) =>
          `Thay đổi của một đặt phòng tại ${listing} đã không được thanh toán kịp thời. Đặt phòng trở lại như trước, các đêm khác lại trống.`,
      },
      change_kept: {
        subject: (listing) => `Thay đổi chưa thanh toán: ${listing}`,
        sentence: (listing) =>
          `Thay đổi của một đặt phòng tại ${listing} đã không được thanh toán kịp thời. Không thể trở lại như trước, nên đặt phòng giữ như hiện tại: hãy thu phần còn lại khi khách đến, hoặc đổi hay hủy đặt phòng.`,
      },
      changed: {
        subject: (listing) => `Đặt phòng đã thay đổi: ${listing}`,
        sentence: (listing) => `Một đặt phòng tại ${listing} đã được thay đổi. Sau đây là thông tin mới.`,
      },
      declined: {
        subject: (listing) => `Đã từ chối yêu cầu đặt phòng: ${listing}`,
        sentence: (listing) =>
          `Một yêu cầu đặt phòng tại ${listing} đã bị từ chối. Thời gian đó đã trống trở lại.`,
      },
      no_show: {
        subject: (listing) => `Khách không đến: ${listing}`,
        sentence: (listing) =>
          `Một đặt phòng tại ${listing} đã được đóng vì khách không đến. Thời gian còn lại đã trống trở lại.`,
      },
      cancelled: {
        subject: (listing) => `Đặt phòng bị hủy: ${listing}`,
        sentence: (listing) => `Một đặt phòng tại ${listing} đã bị hủy. Thời gian đó đã trống trở lại.`,
      },
      restored: {
        subject: (listing) => `Đặt phòng đã được khôi phục: ${listing}`,
        sentence: (listing) =>
          `Đã nhận khoản chuyển khoản cho một đặt phòng tại ${listing} bị hủy vì chưa thanh toán. Thời gian đó vẫn còn trống nên kỳ nghỉ của khách đã được đặt lại.`,
      },
      paid: {
        subject: (listing) => `Khách đã thanh toán: ${listing}`,
        sentence: (listing) => `Đã nhận một khoản thanh toán cho đặt phòng tại ${listing}.`,
      },
      refunded: {
        subject: (listing) => `Hoàn tiền cho khách: ${listing}`,
        sentence: (listing) =>
          `Khách của một đặt phòng tại ${listing} được hoàn tiền. Khoản do chủ nhà hoàn: hãy trả cho khách rồi ghi nhận là đã trả.`,
      },
      reminder: {
        subject: (listing) => `Khách sắp đến: ${listing}`,
        sentence: (listing) => `Một khách sắp nhận phòng tại ${listing}.`,
      },
    },
  },
  newMessages: {
    subject: (listing) => `Tin nhắn mới: ${listing}`,
    sentence: (from, listing) => `${from} đã viết cho bạn về đặt phòng tại ${listing}:`,
  },
  unbooked: {
    subject: (listing) => `Hoàn tiền, không có đặt phòng: ${listing}`,
    sentence: (listing) =>
      `Khoản thanh toán của bạn cho ${listing} được hoàn lại, vì thời gian đó không còn trống khi tiền đến. Không có gì được đặt.`,
  },
  greeting: (name) => (name === '' ? 'Xin chào,' : `Xin chào ${name},`),
  payBy: {
    booking: (time) => `Vui lòng thanh toán trước ${time}; sau đó đặt phòng sẽ tự hủy.`,
    due: (time) => `Vui lòng thanh toán trước ${time}.`,
    change: (time) =>
      `Vui lòng thanh toán trước ${time}; sau đó thay đổi sẽ không được thực hiện và đặt phòng của bạn giữ nguyên.`,
    added: (time) => `Vui lòng thanh toán trước ${time}; sau đó đặt phòng sẽ trở lại như trước khi thay đổi.`,
    deposit: (time) => `Vui lòng thực hiện trước ${time}.`,
  },
  payNow: 'Thanh toán ngay',
  authorise: 'Cho giữ tiền đặt cọc',
  seeBooking: 'Xem đặt phòng',
  transferText: (reference) => `nội dung chuyển khoản: ${reference}`,
  accessShown: 'Khách đã có thể xem Wi-Fi và mã cửa. Hãy đổi mã cửa.',
  payments: { PENDING: 'chưa thanh toán', PAID: 'đã thanh toán', REFUNDED: 'đã hoàn tiền' },
  paidInPart: 'đã thanh toán một phần',
  refunds: {
    none: 'không có',
    ONLINE_GATEWAY: 'qua cổng thanh toán, theo cách đã trả',
    CASH: 'do chủ nhà',
  },
  refundedByHost: { later: 'chủ nhà sẽ trả lại', done: 'chủ nhà đã trả lại' },
  refundToCome: 'sẽ được hoàn tiền',
  refundUnderWay: 'đang được hoàn',
  refundedByPartner: (partner) => `do ${partner ?? 'đối tác đã đặt phòng'} hoàn lại`,
  reasonElsewhere: 'đã được ghi; bạn có thể xem tại nơi bạn đã đặt phòng',
  adjusted: {
    added: (labels) => `${labels} (chủ nhà điều chỉnh giá)`,
    takenOut: (labels) => `bỏ khoản “${labels}” (chủ nhà điều chỉnh giá)`,
  },
  reasons: {
    'The platform has cancelled it.': 'Nền tảng đã hủy.',
    'The payment was not made in time.': 'Khoản thanh toán đã không được thực hiện kịp thời.',
    'The change was not paid in time.': 'Thay đổi đã không được thanh toán kịp thời.',
    'The change was not paid in time, but the stay before is no longer possible: the rest is due on arrival.':
      'Thay đổi đã không được thanh toán kịp thời, nhưng không thể trở lại như trước: phần còn lại trả khi đến.',
    'The stay ended without check-in and payment.':
      'Kỳ nghỉ đã kết thúc mà không có nhận phòng và thanh toán.',
    'The host did not accept in time.': 'Chủ nhà đã không xác nhận kịp thời.',
    'The booking was changed.': 'Đặt phòng đã được thay đổi.',
    'The price had changed before the payment came.': 'Giá đã thay đổi trước khi khoản thanh toán đến.',
    'The payment came when nothing was due any more.': 'Khoản thanh toán đến khi không còn gì phải trả.',
  },
  footer: 'Thư tự động của Nightlatch về một đặt phòng. Vui lòng không trả lời thư này.',
};
