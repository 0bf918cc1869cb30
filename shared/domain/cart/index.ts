export { addToCart } from './add-to-cart.ts';
export { listCart } from './list-cart.ts';
export { removeFromCart } from './remove-from-cart.ts';
