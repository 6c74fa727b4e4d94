export declare function headingSlug(text: string): string;
