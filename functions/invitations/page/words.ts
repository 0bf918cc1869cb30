import type { WrittenLanguage } from '../../../shared/platform/text/language.ts';

type Sentence =
  | 'title'
  | 'wait'
  | 'gone'
  | 'invited'
  | 'team'
  | 'role'
  | 'email'
  | 'until'
  | 'staff'
  | 'accept'
  | 'again'
  | 'note'
  | 'done'
  | 'close'
  | 'another'
  | 'unverified'
  | 'reset'
  | 'send'
  | 'sent'
  | 'limit'
  | 'member'
  | 'refused'
  | 'failed'
  | 'unset'
  | 'OWNER'
  | 'MANAGER'
  | 'STAFF'
  | 'ADMIN'
  | 'other';

/** What the page of an invitation says. */
export const pageWords: Record<WrittenLanguage, Record<Sentence, string>> = {
  vi: {
    title: 'Lời mời',
    wait: 'Đang tải…',
    gone: 'Lời mời này không tồn tại hoặc không còn hiệu lực. Hãy nhờ chủ sở hữu nhóm mời lại.',
    invited: 'Bạn được mời vào một nhóm trên Nightlatch.',
    team: 'Nhóm',
    role: 'Vai trò',
    email: 'Địa chỉ được mời',
    until: 'Hạn chấp nhận',
    staff: 'Ban vận hành Nightlatch',
    accept: 'Đăng nhập và chấp nhận',
    again: 'Đăng nhập lại',
    note: 'Hãy đăng nhập bằng tài khoản có địa chỉ được mời, hoặc tạo tài khoản với địa chỉ đó.',
    done: 'Bạn đã là thành viên.',
    close: 'Bạn có thể đóng trang này. Quyền có hiệu lực trong vòng một phút.',
    another: 'Lời mời này dành cho địa chỉ khác. Hãy đăng nhập bằng tài khoản có địa chỉ được mời.',
    unverified: 'Hãy mở liên kết xác minh trong hộp thư của bạn, rồi đăng nhập lại.',
    reset:
      'Mật khẩu đầu tiên của tài khoản này do bên khác đặt. Hãy đặt mật khẩu mới bằng liên kết trong thư, rồi đăng nhập lại.',
    send: 'Gửi thư đặt mật khẩu',
    sent: 'Thư đã được gửi. Sau khi đặt mật khẩu mới, hãy đăng nhập lại.',
    limit: 'Đã gửi quá nhiều thư. Hãy thử lại sau một giờ.',
    member: 'Bạn đã là thành viên của nhóm này. Chủ sở hữu có thể đổi vai trò của bạn.',
    refused: 'Bạn chưa đăng nhập.',
    failed: 'Có lỗi xảy ra. Hãy thử lại.',
    unset: 'Dịch vụ này không có trang đăng nhập riêng. Hãy chấp nhận lời mời trong ứng dụng của chủ nhà.',
    OWNER: 'Chủ sở hữu',
    MANAGER: 'Quản lý',
    STAFF: 'Nhân viên',
    ADMIN: 'Quản trị viên',
    other: 'English',
  },
  en: {
    title: 'Invitation',
    wait: 'Loading…',
    gone: 'This invitation does not exist, or is no longer open. Ask an owner of the team to invite you again.',
    invited: 'You are invited to a team on Nightlatch.',
    team: 'Team',
    role: 'Role',
    email: 'Invited address',
    until: 'Accept before',
    staff: 'Staff of Nightlatch',
    accept: 'Sign in and accept',
    again: 'Sign in again',
    note: 'Sign in with the account of the invited address, or sign up with that address.',
    done: 'You are a member now.',
    close: 'You can close this page. Your rights begin within a minute.',
    another: 'This invitation is for another address. Sign in with the account of the invited address.',
    unverified: 'Open the verification link in your mailbox, then sign in again.',
    reset:
      'Another party chose the first password of this account. Set a new one by the link in a mail, then sign in again.',
    send: 'Mail me the link',
    sent: 'The mail was sent. Set a new password, then sign in again.',
    limit: 'Too many mails were sent. Try again in an hour.',
    member: 'You are a member of this team already. One of its owners can change your role.',
    refused: 'You are not signed in.',
    failed: 'Something went wrong. Try again.',
    unset: 'This service has no sign-in page of its own. Accept the invitation in the app of your host.',
    OWNER: 'Owner',
    MANAGER: 'Manager',
    STAFF: 'Staff',
    ADMIN: 'Administrator',
    other: 'Tiếng Việt',
  },
};
