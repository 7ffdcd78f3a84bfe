package main
func renderPage(o *options, page []section) ([]byte, error) { return nil, nil }
