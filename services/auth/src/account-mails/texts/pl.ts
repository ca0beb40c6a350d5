import type { Texts } from './texts.js'

const from = (office: string) => office || 'Caseway'

export const pl: Texts = {
  password_reset: (office) => ({
    subject: 'Ustaw nowe hasło',
    before: [
      `Ktoś poprosił o nowe hasło do Twojego konta (${from(office)}).`,
      'Link działa jeden raz, przez godzinę. Po ustawieniu hasła nastąpi wylogowanie ze wszystkich urządzeń.',
    ],
    link: 'Ustaw nowe hasło',
    after: ['Jeśli to nie Ty, zignoruj tę wiadomość: hasło pozostanie bez zmian.'],
  }),
  invitation: (office) => ({
    subject: `Zaproszenie: ${from(office)}`,
    before: [
      `${from(office)} – dla tego adresu zostało utworzone konto.`,
      'Ustaw hasło, aby się zalogować. Link działa jeden raz, przez siedem dni.',
    ],
    link: 'Ustaw hasło',
    after: ['Jeśli nie znasz nadawcy, zignoruj tę wiadomość: nikt nie może zalogować się na to konto.'],
  }),
  office_invitation: (office) => ({
    subject: `Zaproszenie: ${from(office)}`,
    before: [
      `${from(office)} chce z Tobą współpracować.`,
      'Zaloguj się na swoje konto i przyjmij zaproszenie. Dopiero wtedy biuro zobaczy Twoje dane.',
    ],
    link: 'Zaloguj się',
    after: ['Jeśli nie znasz nadawcy, zignoruj tę wiadomość.'],
  }),
  email_confirmation: (office) => ({
    subject: 'Potwierdź ten adres',
    before: [
      `Tym adresem chcesz się logować do swojego konta (${from(office)}).`,
      'Link działa jeden raz, przez 24 godziny. Po potwierdzeniu nastąpi wylogowanie ze wszystkich urządzeń.',
    ],
    link: 'Potwierdź adres',
    after: ['Jeśli to nie Ty, zignoruj tę wiadomość: nic się nie zmieni.'],
  }),
  email_changed: (office) => ({
    subject: 'Adres do logowania został zmieniony',
    before: [`Twoje konto (${from(office)}) ma teraz inny adres. Tym adresem nie można się już zalogować.`],
    link: 'Zaloguj się',
    after: ['Jeśli to nie Ty, natychmiast powiadom swoje biuro.'],
  }),
}
