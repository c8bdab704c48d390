/** `NewInvoice` → `newInvoice`. */
export function camel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `PaymentReminder` → `payment reminder`. */
export function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
}

/** `listInvoices` → `List invoices`. */
export function sentence(name: string): string {
  const words = wordsOf(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `payment-reminders` → `paymentReminders`. */
export function camelOfKebab(name: string): string {
  return name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
