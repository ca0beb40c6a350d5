export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
