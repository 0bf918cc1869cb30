import type { WrittenLanguage } from '../../../platform/text/language.ts';

type Word =
  /** Its titles: money came and nothing is due; else. */
  | 'receipt'
  | 'draft'
  | 'note'
  | 'issued'
  /** Rows of what is payable. */
  | 'fee'
  | 'takenOut'
  /** Rows and columns of what was paid. */
  | 'payments'
  | 'date'
  | 'what'
  | 'reference'
  | 'amount'
  | 'payment'
  | 'correction'
  | 'refund'
  | 'byPartner'
  | 'toReturn'
  /** Sums. */
  | 'refunded'
  | 'credit'
  | 'deposit'
  | 'apart'
  | 'held'
  | 'returned';

/** What the printed page of a folio says besides the words of mails (D132). */
export const folioWords: Record<WrittenLanguage, Record<Word, string>> = {
  vi: {
    receipt: 'Biên nhận',
    draft: 'Hóa đơn nháp',
    note: 'Không phải hóa đơn thuế.',
    issued: 'Ngày lập',
    fee: 'Phí theo điều kiện hủy',
    takenOut: 'đã bỏ',
    payments: 'Đã thu và hoàn lại',
    date: 'Ngày',
    what: 'Nội dung',
    reference: 'Số tham chiếu',
    amount: 'Số tiền',
    payment: 'Thanh toán',
    correction: 'Ghi nhầm, đã bỏ',
    refund: 'Hoàn tiền',
    byPartner: 'qua đối tác',
    toReturn: 'chưa trao lại',
    refunded: 'Đã hoàn lại',
    credit: 'Trả thừa',
    deposit: 'Tiền đặt cọc',
    apart: 'Không nằm trong các khoản trên.',
    held: 'Đang giữ',
    returned: 'Đã trả lại',
  },
  en: {
    receipt: 'Receipt',
    draft: 'Invoice draft',
    note: 'This is not a tax invoice.',
    issued: 'Issued',
    fee: 'Fee by the terms of cancellation',
    takenOut: 'taken out',
    payments: 'Payments and refunds',
    date: 'Date',
    what: 'What',
    reference: 'Reference',
    amount: 'Amount',
    payment: 'Payment',
    correction: 'Recorded by mistake, taken out',
    refund: 'Refund',
    byPartner: 'through the partner',
    toReturn: 'not handed over yet',
    refunded: 'Refunded',
    credit: 'Credit',
    deposit: 'Security deposit',
    apart: 'In none of the amounts above.',
    held: 'Held',
    returned: 'Returned',
  },
};
