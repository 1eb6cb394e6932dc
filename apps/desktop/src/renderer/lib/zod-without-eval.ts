import { z } from 'zod'

// Imported first: zod would else try `new Function` once, which the page's policy forbids and reports.
z.config({ jitless: true })
