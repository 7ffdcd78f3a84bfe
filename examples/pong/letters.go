package main

// letters has five rows of three squares for each letter, with the highest row in
// the first digit.
var letters = map[rune]uint16{
	'A': 0o25755, 'C': 0o34443, 'D': 0o65556, 'E': 0o74647, 'I': 0o72227, 'N': 0o65555, 'O': 0o25552,
	'P': 0o65644, 'Q': 0o25563, 'S': 0o34216, 'T': 0o72222, 'U': 0o55557, 'W': 0o55575,
}

// text draws a line in capitals with its middle at (x, y). Its squares are size
// wide, in m.
func (p *painter) text(x, y, size float64, s string, light float64) {
	x -= (4*float64(len(s)) - 1) / 2 * size
	for _, c := range s {
		for i := range 15 {
			if letters[c]>>(14-i)&1 != 0 {
				p.add(x+(float64(i%3)+.5)*size, y+(2-float64(i/3))*size, size/2, size/2, light)
			}
		}
		x += 4 * size
	}
}
