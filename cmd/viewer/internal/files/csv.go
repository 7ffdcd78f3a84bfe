package files

import (
	"bufio"
	"io"
	"strconv"

	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
)

// WritePlot writes the file of -plot, which has the values of the first tracked body. The physics
// goroutine must have ended.
func WritePlot(path string, s *play.Session, rate float64) error {
	return outfile.Replace(path, func(w io.Writer) error { return writeCSV(w, rate, s.Sampler.Logged()) })
}

// ExportPlot writes all values of the chosen body to a new file.
func ExportPlot(s *play.Session) {
	rows := s.Sampler.Rows()
	path, err := outfile.Free("halfstep-%03d.csv", "tables")
	if err != nil {
		s.Host.Warn(play.NotSaved(err))
		return
	}
	rate := s.Stage.Player.Rate().Float()
	s.Files.Do(func() {
		s.Files.ReportWritten(path, outfile.Replace(path, func(w io.Writer) error { return writeCSV(w, rate, rows) }))
	})
}

// CsvHeader has the names of the columns: tick, time, and the columns of
// Plotted.
const CsvHeader = "tick,time_s,x,y,speed,angle,energy,joint_force,joint_angle,energy_of_all\n"

// writeCSV writes rows of values. The parameter rate is in steps per second. An
// unknown value becomes an empty field.
func writeCSV(to io.Writer, rate float64, rows []play.LoggedSample) error {
	w := bufio.NewWriter(to)
	w.WriteString(CsvHeader)
	for i := range rows {
		b := strconv.AppendUint(nil, rows[i].Tick, 10)
		b = strconv.AppendFloat(append(b, ','), float64(rows[i].Tick)/rate, 'g', -1, 64)
		for _, x := range rows[i].Values {
			if b = append(b, ','); x == x {
				b = strconv.AppendFloat(b, x, 'g', -1, 64)
			}
		}
		w.Write(append(b, '\n'))
	}
	return w.Flush()
}
